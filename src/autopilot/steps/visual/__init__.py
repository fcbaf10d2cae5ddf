"""Looking at an interface at one commit, and comparing what was seen with its baseline."""
