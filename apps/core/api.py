"""What every API view shares."""

from typing import Any

from rest_framework.exceptions import MethodNotAllowed, ValidationError
from rest_framework.request import Request
from rest_framework.views import APIView

from apps.core.problems import DomainError
from apps.core.shapes import Shape


class LengthRequired(DomainError):
    """The body came in chunks, without a length: it would be read as no body at all."""

    status, code, title = 411, "length_required", "The length of the body is needed"


class ApiView(APIView):
    """Base of API views: shape in, one action, shape out."""

    def initial(self, request: Request, *args: Any, **rest: Any) -> None:
        """Refuse what no key could make right, before a key is asked for."""
        name = str(request.method).lower()
        if name not in self.http_method_names or not hasattr(self, name):
            raise MethodNotAllowed(str(request.method))
        if "Transfer-Encoding" in request.headers and "Content-Length" not in request.headers:
            raise LengthRequired("Send the body with a Content-Length, not in chunks.")
        super().initial(request, *args, **rest)

    def read(self, shape: type[Shape], request: Request) -> dict[str, Any]:
        """Return the request's body as a shape's values, or raise what becomes a 400."""
        given = shape(data=request.data)
        given.is_valid(raise_exception=True)
        return dict(given.validated_data)

    def read_query(self, shape: type[Shape], request: Request) -> dict[str, Any]:
        """Return the query's parameters as a shape's values, or raise what becomes a 400.

        A parameter that comes twice is refused: which of the two was meant?
        """
        twice = [name for name, values in request.query_params.lists() if len(values) > 1]
        if twice:
            raise ValidationError({name: ["This came more than once."] for name in twice[:10]})
        given = shape(data=request.query_params.dict())
        given.is_valid(raise_exception=True)
        return dict(given.validated_data)
