"""Files of ours in folders of others."""
