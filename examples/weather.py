"""The smallest example: one plain function, documented in the google style."""

from typing import Literal

CELSIUS = {"paris": 18.0, "london": 14.5, "tokyo": 22.0}


def get_weather(city: str, unit: Literal["celsius", "fahrenheit"] = "celsius") -> str:
    """Tell the current temperature in a city.

    Args:
        city: The city's English name, such as Paris.
        unit: The scale of the answer.
    """
    celsius = CELSIUS.get(city.lower())
    if celsius is None:
        return f"There is no weather station in {city}. Known cities: {', '.join(CELSIUS).title()}."
    if unit == "fahrenheit":
        return f"{celsius * 9 / 5 + 32:.1f} °F in {city}"
    return f"{celsius:.1f} °C in {city}"
