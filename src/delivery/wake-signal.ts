// Waits until it is rung or some time has passed. A ring while nobody waits is not lost.

export type Bell = { ring(): void; wait(timeMaxMs: number): Promise<void> };

export function openBell(): Bell {
  let isRung = false;
  let answer: (() => void) | null = null;
  return {
    ring() {
      isRung = true;
      answer?.();
    },
    async wait(timeMaxMs) {
      if (!isRung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, timeMaxMs);
          answer = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      answer = null;
      isRung = false;
    },
  };
}
