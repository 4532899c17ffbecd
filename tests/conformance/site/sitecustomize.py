"""On PYTHONPATH of a campaign: Python processes that a test starts get the campaign's launcher as well."""

import os
import sys

if os.environ.get("CONFORMANCE_LAUNCHER"):
    sys.path.insert(1, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    import launcher

    launcher.install(os.environ["CONFORMANCE_LAUNCHER"])
