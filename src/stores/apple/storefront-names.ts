// The numbers of Apple's storefronts that older pages need in a header. Some numbers are not known: those storefronts are
// read from the other pages alone.
import { parseCodeTable } from "../../domain/store/territories.ts";

/** null where the number is not known. */
export function storefrontIdOf(region: string): number | null {
  const digits = ids.get(region);
  return digits === undefined ? null : 143_000 + Number(digits);
}

/** Code and the last three digits; all of them begin with 143. */
const ids = parseCodeTable(`
  ae481 ag540 ai538 al575 am524 ao564 ar505 at445 au460 az568 bb541 be446 bg526 bh559 bm542 bn560
  bo556 br503 bs539 bw525 by565 bz555 ca455 ch459 ci527 cl483 cn465 co501 cr495 cy557 cz489 de443
  dk458 dm545 do508 dz563 ec509 ee518 eg516 es454 fi447 fr442 gb444 gd546 ge615 gh573 gr448 gt504
  gy553 hk463 hn510 hr494 hu482 id476 ie449 il491 in467 is558 it450 jm511 jo528 jp462 ke529 kn548
  kr466 kw493 ky544 kz517 lb497 lc549 lk486 lt520 lu451 lv519 md523 mg531 mk530 ml532 mn592 mo515
  ms547 mt521 mu533 mv488 mx468 my473 ne534 ng561 ni512 nl452 no457 np484 nz461 om562 pa485 pe507
  ph474 pk477 pl478 pt453 py513 qa498 ro487 rs500 ru469 sa479 se456 sg464 si499 sk496 sn535 sr554
  sv506 tc552 th475 tn536 tr480 tt551 tw470 tz572 ua492 ug537 us441 uy514 uz566 vc550 ve502 vg543
  vn471 ye571 za472
`);
