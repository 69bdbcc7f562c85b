// The 175 App Store storefronts by their ISO 3166-1 codes, and the schema of a choice of them.
import { z } from "zod";
import { unique } from "./fields.ts";

export const storefronts: readonly string[] = `
  ae af ag ai al am ao ar at au az ba bb be bf bg bh bj bm bn bo br bs bt bw by bz ca cd cg ch ci
  cl cm cn co cr cv cy cz de dk dm do dz ec ee eg es fi fj fm fr ga gb gd ge gh gm gr gt gw gy hk
  hn hr hu id ie il in iq is it jm jo jp ke kg kh kn kr kw ky kz la lb lc lk lr lt lu lv ly ma md
  me mg mk ml mm mn mo mr ms mt mu mv mw mx my mz na ne ng ni nl no np nr nz om pa pe pg ph pk pl
  pt pw py qa ro rs ru rw sa sb sc se sg si sk sl sn sr st sv sz tc td th tj tm tn to tr tt tw tz
  ua ug us uy uz vc ve vg vn vu xk ye za zm zw
`
  .trim()
  .split(/\s+/);

/** Codes in any case, each once and in order; `all` means every storefront. */
export const storefrontsSchema = z
  .array(z.string({ error: "must be codes of storefronts" }), {
    error: "must be a list of storefronts",
  })
  .transform((input, context): string[] => {
    const codes = unique(input.map((code) => code.trim().toLowerCase()));
    if (codes.length === 0) context.addIssue("name at least one storefront");
    if (codes.includes("all")) return [...storefronts];
    const unknown = codes.filter((code) => !storefronts.includes(code));
    if (unknown.length > 0) context.addIssue(describeUnknown(unknown));
    return codes;
  });

function describeUnknown(unknown: readonly string[]): string {
  const names = unknown.map((code) => JSON.stringify(code.slice(0, 40))).join(", ");
  // The code that people type for the United Kingdom is not its ISO code.
  const hint = unknown.includes("uk") ? "; the United Kingdom is gb" : "";
  return `there is no storefront ${names}${hint}`;
}
