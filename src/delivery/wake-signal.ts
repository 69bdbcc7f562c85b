// Waits until it is set or some time has passed. A signal that is set while nobody waits is not lost.

export type WakeSignal = { set(): void; wait(timeMaxMs: number): Promise<void> };

export function createWakeSignal(): WakeSignal {
  let isSet = false;
  let wake: (() => void) | null = null;
  return {
    set() {
      isSet = true;
      wake?.();
    },
    async wait(timeMaxMs) {
      if (!isSet) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, timeMaxMs);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      wake = null;
      isSet = false;
    },
  };
}
