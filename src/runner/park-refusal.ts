/** Why a request cannot be let go, or withdrawn. */
export function whyNotParked(mayPark: boolean, isOpen: boolean): string {
  if (!mayPark) return 'Only a detached runner can be parked.';
  if (!isOpen) return 'There is no open request with this id; it is unknown or settled already.';
  return 'The runner is ending already.';
}
