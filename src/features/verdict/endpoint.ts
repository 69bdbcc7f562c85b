// GET /releases/{version}/verdict: whether a release made people unhappy, with the evidence.
import { z } from "zod";
import { defineEndpoint } from "../../api/endpoint.ts";
import { appParameters } from "../../api/parameters.ts";
import { verdictSchema, worseByDefault, worseBySchema } from "../../domain/changes/verdict.ts";
import { AppError } from "../../domain/error.ts";
import { findVerdict } from "./read-verdicts.ts";

const versionLengthMax = 100;

const parameters = z.object({
  version: z
    .string()
    .max(versionLengthMax)
    .meta({ description: "The version of the release, as reviews name it.", example: "4.13.0" }),
  ...appParameters.shape,
  worseBy: z
    .string()
    .refine((text) => /^0\.\d{1,4}$/.test(text) && worseBySchema.safeParse(Number(text)).success, {
      error: "must be a number from 0.05 to 0.5",
    })
    .transform(Number)
    .meta({ type: "number", minimum: 0.05, maximum: 0.5, default: worseByDefault })
    .optional()
    .describe("The rise of a share that `fine` rules out; 0.2 is 20 points."),
});

export const verdictEndpoint = defineEndpoint({
  path: "/releases/{version}/verdict",
  id: "getVerdict",
  tag: "Figures",
  summary: "Get the verdict on a release",
  description:
    "Whether reviews of a version are worse than the app's own past (`worse`), a worsening by `worseBy` is ruled out (`fine`), or neither (`undecided`). It may be read after every review: at most 5 % of harmless releases are ever called worse.",
  parameters,
  responseSchema: verdictSchema,
  problems: ["invalid_parameter", "app_not_found", "not_found"],
  appIdsOf: ({ app }) => [app],
  // It depends on the state of the feeds as well.
  isTaggedByContent: () => true,
  async handle({ database, workspaceId, query, apps }) {
    const { version, worseBy = worseByDefault } = query;
    const [app] = apps;
    const verdict = app && (await findVerdict(database, { workspaceId, app, version, worseBy }));
    if (!verdict) {
      throw new AppError("not_found", "No review of this app names this version.");
    }
    return verdict;
  },
});
