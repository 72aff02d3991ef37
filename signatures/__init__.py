"""One boundary for public functions: what a signature declares is checked when the function is called.

`checked` is the mechanism, `domains` the sets that an argument can be declared to lie in, `numbers` their names for
plain numbers, `tensors` those for tensors. It knows neither `bounds` nor `algos` nor `harness`, and of these modules
only `tensors` knows torch.
"""
