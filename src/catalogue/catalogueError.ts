import { exitCodes, GatecheckError } from '../core/errors.ts';

/** An error in the catalogue's own data: where it is, and what was expected there. */
export function catalogueError(where: string, fault: string, cause?: unknown): GatecheckError {
  return new GatecheckError('CATALOGUE_INVALID', `${where}: ${fault}`, {
    exitCode: exitCodes.internal,
    hint: 'Correct the row in fixtures/requirements, then run the unit tests of src/catalogue.',
    cause,
  });
}
