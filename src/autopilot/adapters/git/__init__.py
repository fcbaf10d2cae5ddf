"""Git in its three places: our vault, throw-away workspaces, the user's checkout."""
