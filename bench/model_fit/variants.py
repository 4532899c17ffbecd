"""All operators with their schedules. `variants.py` prints how many there are."""

from operators import columns, elementwise, products, rows

OPERATORS = {operator.name: operator for module in (elementwise, rows, columns, products) for operator in module.OPERATORS}


def main():
    for operator in OPERATORS.values():
        print(f"{operator.name}: {len(operator.schedules)} schedules at {len(operator.sizes)} sizes")
    print(f"{len(OPERATORS)} operators, {sum(len(o.schedules) for o in OPERATORS.values())} schedules, "
          f"{sum(len(o.schedules) * len(o.sizes) for o in OPERATORS.values())} measurements")


if __name__ == "__main__":
    main()
