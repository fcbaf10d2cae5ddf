"""What an interface looks like: what is to be shot, what was seen, and what is wrong with it."""
