"""Pictures and facts of an interface, compared and judged by rule."""
