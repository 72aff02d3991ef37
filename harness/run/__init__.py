"""How a run works: claims are found, selected, distributed over workers with limits, judged, stored and replayed."""
