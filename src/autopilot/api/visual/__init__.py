"""Visual checks from the command line: looked at, compared, accepted."""
