"""The roadmap: phases, their sections, boxes, tables and dependencies; edits of single spans."""
