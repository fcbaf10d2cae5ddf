"""One module per step: it makes a call and brings back events; its prompt is a file beside it."""
