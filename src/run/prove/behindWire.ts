import type { Inbox } from '../../receive/inbox.ts';
import type { StateHandler } from '../../target/stateHandler.ts';
import type { Target } from '../../target/target.ts';
import type { Wire } from '../../wire/json.ts';

/** The target, with the wire between it and the harness. */
export function targetBehind(wire: Wire, target: Target): Target {
  const { transport, stateHandler } = target;
  const send: Target['transport']['send'] = (request) => transport.send(request);
  const set: StateHandler['set'] = (state, params) => stateHandler.set(state, params);
  return {
    ...target,
    // Bursts are sent one by one, so that each request passes the wire.
    transport: { send: wire.send?.(send) ?? send, close: () => transport.close() },
    stateHandler: { ...stateHandler, set: wire.set?.(set) ?? set },
  };
}

/** The inbox, with the wire between it and the deployment. */
export function inboxBehind(wire: Wire, inbox: Inbox): Pick<Inbox, 'admit'> {
  const admit: Inbox['admit'] = (target) => inbox.admit(target);
  return { admit: wire.admit?.(admit) ?? admit };
}
