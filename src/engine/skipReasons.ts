/** Why a rule of a property was not judged where no generated case happened to be about it. */
export const noCaseCame = 'no generated case of this run came to it';

/** Why a new record was not judged: the record book had one that is as good. */
export const earlierRecordUsed =
  'a record of an earlier run is used instead of a new one: --fresh, with a larger --max-quota, makes one';

/** Why a rule that is judged in passing was not judged. */
export const noSample = 'no answer of this run was a sample of it';

/** Why a rule about the first registration of a callback was not judged. */
export const keyOfEarlierRun = 'the leg has its callback since an earlier run, and its key is lost';
