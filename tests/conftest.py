"""How much the laws try: a few seeded examples by default, many random ones with HYPOTHESIS_PROFILE=full."""

import os
import signal

from hypothesis import HealthCheck, Phase, settings

# No deadline in any: the machine's speed is not what a law is about.
settings.register_profile(
    "ci", max_examples=25, derandomize=True, database=None, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("full", max_examples=1000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
# For each of many mutants, of which nobody wants to know the smallest example: looking for it takes a minute.
settings.register_profile(
    "few",
    settings.get_profile("ci"),
    max_examples=5,
    phases=[Phase.explicit, Phase.generate],
    report_multiple_bugs=False,
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))

# A shell starts a background job with Ctrl-C ignored, and the programs that tests start and interrupt inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
