"""Texts of strangers are parsed by native code in a process of its own (ADR 63)."""
