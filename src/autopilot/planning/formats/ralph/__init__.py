"""Ralph: the stories of one feature in ``prd.json``, each of which passes or does not."""
