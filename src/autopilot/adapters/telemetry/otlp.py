"""Spans as OTLP over HTTP: encoded by the protocol's own messages, sent once, with nothing of the answer believed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from urllib.request import Request

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, KeyValue
from opentelemetry.proto.trace.v1 import trace_pb2 as wire

from autopilot.adapters.http.one_host import OneHost
from autopilot.model.errors import Unavailable
from autopilot.model.telemetry.spans import Attribute, Span, SpanKind

PATH = "/v1/traces"
TIMEOUT_S = 5.0
MOST_SPANS = 500  # in one request
HINT = "Check `otlp` below [telemetry] in your settings.toml."
KINDS = {SpanKind.INTERNAL: wire.Span.SPAN_KIND_INTERNAL, SpanKind.CLIENT: wire.Span.SPAN_KIND_CLIENT}


class Collector:
    """POSTs protobuf. Whatever is said of its address names its host alone: the rest may be a secret."""

    def __init__(self, url: str, headers: Mapping[str, str], schema: str, timeout_s: float = TIMEOUT_S) -> None:
        self._url = url.rstrip("/") + PATH
        self._headers = {"Content-Type": "application/x-protobuf", "User-Agent": "autopilot", **headers}
        self._schema = schema
        self._host = OneHost(url, timeout_s, "traces could not be sent to {}", HINT)

    def send(self, spans: Sequence[Span], resource: Mapping[str, Attribute]) -> None:
        for start in range(0, len(spans), MOST_SPANS):
            self._post(encode(spans[start : start + MOST_SPANS], resource, self._schema))

    def _post(self, body: bytes) -> None:
        answered = self._host.send(Request(self._url, body, self._headers, method="POST"))
        if not 200 <= answered.status < 300:
            raise Unavailable(f"{self._host.name} answered {answered.status} to traces", HINT)


def encode(spans: Sequence[Span], resource: Mapping[str, Attribute], schema: str) -> bytes:
    request = ExportTraceServiceRequest()
    group = request.resource_spans.add(schema_url=schema)
    group.resource.attributes.extend(_attributes(resource))
    scope = group.scope_spans.add(schema_url=schema)
    scope.scope.name = "autopilot"
    scope.spans.extend(_encode(span) for span in spans)
    encoded: bytes = request.SerializeToString()
    return encoded


def _encode(span: Span) -> wire.Span:
    code = wire.Status.STATUS_CODE_ERROR if span.has_failed else wire.Status.STATUS_CODE_UNSET
    return wire.Span(
        trace_id=bytes.fromhex(span.trace),
        span_id=bytes.fromhex(span.id),
        parent_span_id=bytes.fromhex(span.parent),
        name=span.name,
        kind=KINDS[span.kind],
        start_time_unix_nano=_nanoseconds(span.began_at),
        end_time_unix_nano=_nanoseconds(span.ended_at),
        attributes=_attributes(span.attributes),
        status=wire.Status(code=code),
    )


def _attributes(values: Mapping[str, Attribute]) -> list[KeyValue]:
    return [KeyValue(key=key, value=_value(value)) for key, value in values.items()]


def _value(value: Attribute) -> AnyValue:
    match value:
        case bool():
            return AnyValue(bool_value=value)
        case int():
            return AnyValue(int_value=min(value, 2**63 - 1))
        case float():
            return AnyValue(double_value=value)
        case str():
            return AnyValue(string_value=value.encode("utf-8", "replace").decode())


def _nanoseconds(moment: datetime) -> int:
    return max(0, round(moment.timestamp() * 1_000_000) * 1000)
