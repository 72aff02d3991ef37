"""One boundary for public functions: the declarations of a signature are checked at every call.

`checked` is the mechanism, `domains` the sets that an argument can be declared to lie in, `numbers` their names for
plain numbers, `tensors` those for tensors. It knows neither `bounds` nor `algos` nor `harness`, and of these modules
only `tensors` knows torch.
"""
