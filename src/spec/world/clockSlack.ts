/** How much two times of one deployment may contradict each other: clocks of machines differ by 2 s, and times may be cut to seconds. */
export const clockSlackMs = 3_000;
