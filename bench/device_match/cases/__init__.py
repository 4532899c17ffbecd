"""All cases, by the file their results are kept in."""

from cases import arithmetic, convert, dots, functions, memory, programs, reduce

GROUPS = {
    "arithmetic": (arithmetic,),
    "functions": (functions,),
    "convert": (convert,),
    "memory": (memory,),
    "reduce": (reduce,),
    "programs": (dots, programs),
}


def all_cases():
    """{"group/name": case}"""
    found = {}
    for group, modules in GROUPS.items():
        for module in modules:
            for case in module.cases():
                key = f"{group}/{case.name}"
                assert key not in found, key
                found[key] = case
    return found
