"""What only issue mode needs of the outside: its rails on files, and red evidence seen again."""
