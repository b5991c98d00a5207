import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

// A worker that is started again is back within seconds; whoever is offline for an hour need not ask every second.
const firstPauseMs = 250;
const longestPauseMs = 5000;

// A connection that was taken and is never answered, as by a worker that is overloaded, would be waited for without end.
const longestAnswerMs = 10_000;

/** That this page was loaded again for a part: one that is broken must not do so for ever. */
const reloadedKey = 'handraise.reloaded';
const wasReloaded = takeMark();
const reloadAgainAfterMs = 60_000;

/**
 * A part of the console that is loaded when it is first shown. While the worker cannot be reached, it waits. Browsers
 * keep a part that they could not load as failed, and an update takes older parts away: only a new page has them.
 */
export function loadedPart<Props>(
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => {
    try {
      return await load();
    } catch (error) {
      await workerIsThere();
      if (!mayReload()) throw error;
      location.reload();
      return await new Promise<never>(() => {});
    }
  });
}

async function workerIsThere(): Promise<void> {
  for (let pauseMs = firstPauseMs; !(await answers()); pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

async function answers(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(longestAnswerMs);
    return (await fetch('/', { method: 'HEAD', cache: 'no-store', signal })).ok;
  } catch {
    return false;
  }
}

/** Once in a while; where the browser keeps nothing, not at all. */
function mayReload(): boolean {
  if (wasReloaded && performance.now() < reloadAgainAfterMs) return false;
  try {
    sessionStorage.setItem(reloadedKey, 'yes');
    return true;
  } catch {
    return false;
  }
}

function takeMark(): boolean {
  try {
    const isMarked = sessionStorage.getItem(reloadedKey) !== null;
    sessionStorage.removeItem(reloadedKey);
    return isMarked;
  } catch {
    return false;
  }
}
