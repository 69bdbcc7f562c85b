// The icons of the pages, drawn here so that none has to be fetched. Screen readers skip them: a text
// always says the same.

const paths = {
  overview: "M4 19V11M10 19V5M16 19v-6M21 19H3",
  reviews: "M4 5h16v11H9l-5 4z",
  sources:
    "M6 8a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM18 14a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM6 20a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM8 6h3c3 0 2 6 5 6M8 18h3c3 0 2-6 5-6",
  compare: "M5 20V9M9 20v-6M15 20V4M19 20v-9",
  keys: "M14.5 9.5m-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0M11 13l-7 7M7 17l2 2M4.5 19.5l2 2",
  settings: "M4 7h10M18 7h2M4 17h2M10 17h10M16 5v4M8 15v4",
  close: "M6 6l12 12M18 6L6 18",
  menu: "M4 7h16M4 12h16M4 17h16",
  down: "M7 10l5 5 5-5",
  copy: "M9 9h10v11H9zM5 15V4h10",
  check: "M5 12.5l4.5 4.5L19 7.5",
  plus: "M12 5v14M5 12h14",
  search: "M11 11m-6 0a6 6 0 1 0 12 0a6 6 0 1 0-12 0M20 20l-4.6-4.6",
  warning: "M12 4l9 16H3zM12 10v4M12 17v.5",
  code: "M9 7l-5 5 5 5M15 7l5 5-5 5",
  download: "M12 4v11M7 11l5 5 5-5M5 20h14",
  sun: "M12 12m-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0M12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6L7 7M17 17l1.4 1.4M5.6 18.4L7 17M17 7l1.4-1.4",
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={paths[name]} />
    </svg>
  );
}
