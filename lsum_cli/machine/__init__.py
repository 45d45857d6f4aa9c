"""The machine: processor, devices, memory, storage, network, and the checks of lsum doctor."""
