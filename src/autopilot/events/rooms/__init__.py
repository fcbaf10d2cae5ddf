"""The rooms of the state: structs of what belongs together and is forgotten together."""
