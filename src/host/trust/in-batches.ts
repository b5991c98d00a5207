/** Answers together what is asked in one moment, where a look costs much and an answer little. */
export function inBatches<Asked, Answer>(
  answerAll: (asked: readonly Asked[]) => readonly Answer[],
): (asked: Asked) => Promise<Answer> {
  let open: Asked[] = [];
  let answers: Promise<readonly Answer[]> | null = null;
  return async (asked) => {
    const place = open.push(asked) - 1;
    answers ??= new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      const batch = open;
      open = [];
      answers = null;
      return answerAll(batch);
    });
    const answer = (await answers)[place];
    if (answer === undefined) throw new Error('A question got no answer.');
    return answer;
  };
}
