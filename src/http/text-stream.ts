// A body of any length in constant memory, for exports.

/**
 * Each text is made when the client has taken the one before; empty ones are left out.
 *
 * @param onEnd called at the end, after a failure with its reason, and when the client leaves
 */
export function streamTexts(
  texts: AsyncGenerator<string>,
  onEnd: (failure?: unknown) => void = () => {},
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          let next = await texts.next();
          while (!next.done && next.value === "") next = await texts.next();
          if (!next.done) return controller.enqueue(encoder.encode(next.value));
          controller.close();
          onEnd();
        } catch (failure) {
          onEnd(failure);
          controller.error(failure);
        }
      },
      cancel: () => onEnd(),
    },
    { highWaterMark: 0 },
  );
}
