"""The page: what waits for you, what happened, whether to believe it, what it cost; over all your repositories."""
