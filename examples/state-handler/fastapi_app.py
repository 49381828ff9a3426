"""A state handler for a server on FastAPI. It stands in the test environment only: whoever reaches it can make keys.

`accounts` stands for the storage of your server; the states call the same functions as your own administration does.

    pip install fastapi uvicorn
    uvicorn --app-dir examples/state-handler fastapi_app:app --port 3000
    npx gatecheck doctor --target http://127.0.0.1:3000 --state-handler http://127.0.0.1:3000/_state
"""

import json
from datetime import datetime, timezone
from typing import Any, Dict, List
from uuid import uuid4

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse

app = FastAPI()
accounts: Dict[str, Dict[str, Any]] = {}  # key -> {"active": bool, "enterprise": {...}}


class BadRequest(Exception):
    """A request that is not one of the protocol."""


def issue(enterprise: Dict[str, Any], count: int = 1) -> List[str]:
    keys = [str(uuid4()) for _ in range(min(count, 1_000))]
    for key in keys:
        accounts[key] = {"active": True, "enterprise": enterprise}
    return keys


def account_of(params: Dict[str, Any]) -> Dict[str, Any]:
    if params.get("key") not in accounts:
        raise BadRequest("params.key is not a key of this environment")
    return accounts[params["key"]]


def capabilities(_params: Dict[str, Any]) -> Dict[str, Any]:
    now = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    return {"states": list(states), "now": now, "clock": []}


def create_enterprise(params: Dict[str, Any]) -> Dict[str, Any]:
    units = params.get("included_units", 0)
    enterprise = {"status": "active", "included_units": units, "consumed_units": 0}
    return {"keys": issue(enterprise, params.get("keys", 1))}


def issue_keys(params: Dict[str, Any]) -> Dict[str, Any]:
    return {"keys": issue(account_of(params)["enterprise"], params.get("count", 1))}


def end_key(params: Dict[str, Any]) -> Dict[str, Any]:
    account_of(params)["active"] = False
    return {}


def set_entitlement(params: Dict[str, Any]) -> Dict[str, Any]:
    given = {name: value for name, value in params.items() if name != "key"}
    account_of(params)["enterprise"].update(given)
    return {}


def get_entitlement(params: Dict[str, Any]) -> Dict[str, Any]:
    return account_of(params)["enterprise"]


states = {
    "capabilities": capabilities,
    "enterprise.create": create_enterprise,
    "keys.issue": issue_keys,
    "keys.revoke": end_key,
    "keys.disable": end_key,
    "entitlement.set": set_entitlement,
    "entitlement.get": get_entitlement,
}


@app.post("/_state")
async def state_handler(request: Request) -> JSONResponse:
    try:
        asked = json.loads(await request.body())
    except ValueError:
        asked = None
    if not isinstance(asked, dict) or not isinstance(asked.get("params", {}), dict):
        return JSONResponse({"ok": False, "error": 'expected {"state": name, "params": {}}'}, status_code=400)
    if asked.get("state") not in states:
        return JSONResponse({"ok": False, "error": "UNSUPPORTED_STATE"}, status_code=501)
    try:
        return JSONResponse({"ok": True, **states[asked["state"]](asked.get("params", {}))})
    except BadRequest as error:
        return JSONResponse({"ok": False, "error": str(error)}, status_code=400)


# One operation of the API, to show that the states take effect: the rest is your server.
@app.get("/extPartner/api/webcheckin/requests")
async def requests_of(request: Request) -> JSONResponse:
    account = accounts.get(request.headers.get("X-API-Key", ""))
    if account is None or not account["active"]:
        refusal = {"success": False, "error": "UNAUTHORIZED", "message": "This API key is not valid."}
        return JSONResponse(refusal, status_code=401)
    pagination = {"page": 1, "limit": 20, "total": 0, "totalPages": 0}
    return JSONResponse({"success": True, "data": [], "pagination": pagination})
