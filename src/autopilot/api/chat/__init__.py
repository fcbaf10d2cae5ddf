"""Commands of Autopilot in the chats of agents: thin files in each agent's own form, which call the program."""
