"""What the papers compute: torch in, torch out, batch axes first, device and dtype follow the input."""
