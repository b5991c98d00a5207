#!/bin/sh
# Lets this worker take no new work and waits until nothing of its work is under way: `drain.sh`. With --undo it takes work again,
# which whoever starts it anew has to say, because the store remembers that it drains.
set -eu
name=${HANDRAISE_WORKER_NAME:?set it to the name of this worker}
if [ "${1-}" = --undo ]; then
  until handraise worker drain --undo "$name" >/dev/null 2>&1; do sleep 2; done
  exit 0
fi
handraise worker drain "$name"
busy='
  let text = "";
  process.stdin.on("data", (part) => { text += part; }).on("end", () => {
    const own = JSON.parse(text).workers.find(({ name }) => name === process.env.HANDRAISE_WORKER_NAME);
    process.exitCode = (own?.underWay ?? 0) > 0 ? 0 : 1;
  });'
while handraise worker ls --json | node -e "$busy"; do sleep 5; done
