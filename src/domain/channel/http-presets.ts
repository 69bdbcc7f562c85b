// The presets of HTTP channels: data, checked when the module is loaded.
import presets from "./http-presets.json" with { type: "json" };
import { type HttpPreset, httpPresetSchema } from "./http-request.ts";

export const httpPresets: readonly HttpPreset[] = presets.map(({ request, ...preset }) => {
  const { body, update, ...more } = request as typeof request & { update?: Update };
  // In the file templates are JSON; people edit them as text.
  return httpPresetSchema.parse({
    ...preset,
    request: {
      ...more,
      body: toText(body),
      ...(update && { update: { ...update, body: toText(update.body) } }),
    },
  });
});

type Update = { method: string; path: string; body: unknown };

function toText(template: unknown): string {
  return JSON.stringify(template, null, 2);
}
