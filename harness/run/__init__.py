"""How claims are judged: found, selected, spread over workers under limits, stored, run again."""
