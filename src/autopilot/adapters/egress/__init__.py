"""The way out of an agent's sandbox: a proxy of ours that lets it reach named hosts and nothing else."""
