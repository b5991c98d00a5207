/** One thing that was looked at: how it stands, and what mends it. */
export interface DoctorLine {
  readonly part: 'Installation' | 'Worker' | 'Agents' | 'Containers';
  readonly name: string;
  /** `broken` has to be mended, `warns` may be, `absent` is not there and need not be. */
  readonly state: 'good' | 'warns' | 'broken' | 'absent';
  readonly says: string;
  readonly fix?: string;
}

/** Whether something must be mended before work can be trusted to run. */
export function isSick(lines: readonly DoctorLine[]): boolean {
  return lines.some(({ state }) => state === 'broken');
}
