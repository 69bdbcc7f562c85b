// The options of a benchmark, so that `--help` prints them all and a wrong one is refused.
import { Command, InvalidArgumentError } from "commander";

type Value = number | string | boolean;
type Spec = Readonly<Record<string, readonly [ifLeftOut: Value, about: string]>>;
type Widened<V> = V extends number ? number : V extends string ? string : boolean;
type Options<S extends Spec> = { [K in keyof S]: Widened<S[K][0]> };

/** Reads the command line; the type of an option is that of the value that it has when it is left out. */
export function readOptions<const S extends Spec>(
  benchmark: { name: string; about: string },
  spec: S,
): Options<S> {
  const command = new Command(`npm run bench:${benchmark.name} --`)
    .description(benchmark.about)
    .configureHelp({ showGlobalOptions: false });
  for (const [name, [ifLeftOut, about]] of Object.entries(spec)) {
    const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    if (typeof ifLeftOut === "boolean") command.option(flag, about, ifLeftOut);
    else if (typeof ifLeftOut === "string") command.option(`${flag} <text>`, about, ifLeftOut);
    else command.option(`${flag} <number>`, about, parseCount, ifLeftOut);
  }
  return command.parse().opts<Options<S>>();
}

/** @throws InvalidArgumentError unless it is a number above zero */
function parseCount(text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError("it must be a number above 0.");
  return value;
}
