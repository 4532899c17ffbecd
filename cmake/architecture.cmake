# The modules, lowest first, each with the only modules that it may name in DEPENDS.
# An arrow points up this list, never down. docs/architecture.md draws the same arrows; a test compares them.

# The verifying half: no libtorch, no CUDA toolkit.
tritonrl_layer(base)
tritonrl_layer(runlog -> base)
tritonrl_layer(endpoint -> base)
tritonrl_layer(pysource -> base)
tritonrl_layer(task -> pysource)
tritonrl_layer(synth -> task)
tritonrl_layer(analysis -> task)
tritonrl_layer(ttir -> base)
tritonrl_layer(gpu -> base)
tritonrl_layer(sandbox -> base)
tritonrl_layer(verify -> analysis ttir gpu sandbox task endpoint)
tritonrl_layer(data -> verify synth endpoint)
tritonrl_layer(fleet -> verify)
tritonrl_end_of_verifying_half()

# The training half.
tritonrl_layer(tokenizer -> base)
tritonrl_layer(kernels -> base)
tritonrl_layer(model -> kernels)
tritonrl_layer(rollout -> model tokenizer endpoint)
tritonrl_layer(train -> model tokenizer runlog)

# Where the halves meet.
tritonrl_layer(rl -> verify rollout train runlog)
tritonrl_layer(eval -> verify rollout runlog)
tritonrl_layer(recipe -> base)
tritonrl_layer(service -> eval rollout verify)
