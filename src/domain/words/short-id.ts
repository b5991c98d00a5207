// An id begins with ten characters of time; the first eight of them tell seconds apart, so that an id which is unique
// among its neighbours is unique among all.
const shortestLength = 'thr_'.length + 8;

/** The shortest beginnings that still tell these ids apart. */
export function shortIds(ids: Iterable<string>): (id: string) => string {
  const sorted = [...new Set(ids)].toSorted();
  const lengths = new Map(
    sorted.map((id, index) => {
      const shared = Math.max(
        sharedLength(id, sorted[index - 1] ?? ''),
        sharedLength(id, sorted[index + 1] ?? ''),
      );
      return [id, Math.max(shortestLength, shared + 1)];
    }),
  );
  return (id) => id.slice(0, lengths.get(id) ?? id.length);
}

function sharedLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}
