import * as z from 'zod';
import type { Parts } from '../parts.ts';
import { automatedProgress, moveAttempt } from '../webcheckin/progress.ts';
import { statuses, type Attempt, type Progress } from '../webcheckin/records.ts';
import { BadState, defineState, type State } from './state.ts';

const checkinId = z.string().min(1);

const progress = z.strictObject({
  checkin_id: checkinId,
  status: z.enum(statuses),
  sub_status: z.string().min(1).optional(),
  checkin_message: z.string().optional(),
  boarding_passes: z.array(z.url({ protocol: /^https$/ })).optional(),
});

/** States of the simulated airline. */
export const checkinStates: Readonly<Record<string, State>> = {
  'automation.set': defineState(
    z.strictObject({ mode: z.enum(['manual', 'auto']) }),
    ({ mode }, { webCheckin }) => {
      webCheckin.automation.setMode(mode, webCheckin.attempts.all());
      return {};
    },
  ),
  'checkin.progress': defineState(progress, (params, parts) => {
    const attempt = attemptOf(params.checkin_id, parts);
    const next = automatedProgress(attempt, params.status, parts.policy, given(params));
    moveAttempt(attempt, next, 'automation', parts.webCheckin);
    parts.webCheckin.automation.plan(attempt);
    return {};
  }),
  'checkin.rejectResume': defineState(z.strictObject({ checkin_id: checkinId }), (params, parts) => {
    attemptOf(params.checkin_id, parts).rejectsResume = true;
    return {};
  }),
};

function attemptOf(id: string, { webCheckin }: Parts): Attempt {
  const attempt = webCheckin.attempts.findById(id);
  if (!attempt) throw new BadState('No such check-in request.');
  return attempt;
}

function given(params: z.output<typeof progress>): Partial<Progress> {
  return {
    ...(params.sub_status === undefined ? {} : { subStatus: params.sub_status }),
    ...(params.checkin_message === undefined ? {} : { message: params.checkin_message }),
    ...(params.boarding_passes === undefined ? {} : { boardingPasses: params.boarding_passes }),
  };
}
