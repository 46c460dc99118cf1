"""The postal address of a party on the wire, in the fields of ISO 20022 and of IVMS 101.

Document 2 section 2.1 has none, and 31 CFR 1010.410(f)(1) wants the transmittor's from 3,000 USD
on: it is optional, and without it such a message is incomplete.
"""

from typing import Any

from rest_framework import serializers

from apps.platform.api.shapes import Country, ListOf, Shape, Text

# the lengths of IVMS 101 (section 6), which are those of ISO 20022
LONGEST, SHORT, LINE, LINES = 35, 16, 70, 7
PLACES = ("street_name", "post_box", "address_lines")


class AddressIn(Shape):
    """Where a party is: town, country, and a street, a post box or lines."""

    street_name = Text(required=False, min_length=1, max_length=LINE)
    building_number = Text(required=False, min_length=1, max_length=SHORT)
    building_name = Text(required=False, min_length=1, max_length=LONGEST)
    floor = Text(required=False, min_length=1, max_length=LINE)
    room = Text(required=False, min_length=1, max_length=LINE)
    post_box = Text(required=False, min_length=1, max_length=SHORT)
    post_code = Text(required=False, min_length=1, max_length=SHORT)
    town_name = Text(min_length=1, max_length=LONGEST)
    town_location_name = Text(required=False, min_length=1, max_length=LONGEST)
    district_name = Text(required=False, min_length=1, max_length=LONGEST)
    country_sub_division = Text(required=False, min_length=1, max_length=LONGEST)
    country = Country(
        help_text="Checked against the country lists if the party has no country of its own."
    )
    address_lines = ListOf(
        child=Text(min_length=1, max_length=LINE), required=False, min_length=1, max_length=LINES
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse a town alone: it does not identify an address."""
        if not any(attrs.get(name) for name in PLACES):
            sentence = (
                "Give a street, a post box or address lines: streetName, postBox, addressLines."
            )
            raise serializers.ValidationError({"streetName": [sentence]})
        return attrs | {"address_lines": tuple(attrs.get("address_lines", ()))}
