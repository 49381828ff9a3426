/** What two times of one deployment may contradict each other by: machines whose clocks differ by 2 s, and whole seconds. */
export const clockSlackMs = 3_000;
