"""What people keep in tables: kinds of things, and what is noted about them.

A kind is a line and the indented lines below it.

    one/many person|thing[: verb|verb]   verbs say what somebody did who has one: "placed an order"
      n HEADER: VALUES         its name; VALUES are a list, or people, or a code such as INV-####
      c WORDS: VALUES          a category whose values stand before the noun: gold members
      k IN WORDS: VALUES       a category said with a preposition: members from Leeds
      b FORM WORDS/NOT         yes or no. FORM: adj (active), done (paid), have (parking), at (on leave)
                               or do (smoke); NOT is its opposite as one word, where there is one
      $ WORDS LOW HIGH         an amount of money          # WORDS LOW HIGH   a whole number
      d FORM WORD/NOUN         a date. FORM: done (ordered/order), did (joined/joining) or at (due/due)
      o FORM WORD/NOUN/NOT     a date that may be missing: it was not done yet
      x WORDS: VALUES          a text that may be missing  y WORDS LOW HIGH  a number that may be
      t WORDS                  words of no interest
      f WORDS: KINDS           belongs to one of another kind
"""
import collections

LISTS = {
    "cities": "Leeds, Bristol, Cardiff, Oslo, Lyon, Turin, Graz, Porto, Ghent, Malmo, Tampa, Denver, Austin, Boise, Quebec, Perth, Nairobi, Kyoto",
    "countries": "France, Norway, Kenya, Japan, Brazil, Canada, Italy, Spain, India, Chile, Poland, Egypt",
    "departments": "Sales, Finance, Marketing, Support, Research, Legal, Logistics, Human Resources, IT, Purchasing",
    "colors": "red, blue, green, black, white, silver, yellow, grey",
    "rooms": "Aspen, Birch, Cedar, Dahlia, Elm, Fern, Ginkgo, Hazel, Iris, Juniper, Kale, Laurel, Maple, Nettle, Oak, Pine",
    "streets": "12 Mill Lane, 4 Abbey Road, 77 Station Street, 9 Church Walk, 31 Park Avenue, 5 High Street, 18 Canal Row, 60 Elm Drive",
    "phones": "555-0101, 555-0142, 555-0177, 555-0190, 555-0133, 555-0158, 555-0125, 555-0166",
    "mails": "ann@example.com, bob@example.org, cy@example.net, dee@example.com, eve@example.org, fay@example.net, gus@example.com",
    "notes": "call back, fragile, see file, ask for Kim, second floor, needs key, left at desk, urgent, none so far, as agreed",
    "firms": "Acme Supplies, Northwind Paper, Bluebird Foods, Harlow and Sons, Vertex Tools, Granite Works, Lumen Electric, Orchard Textiles, Kestrel Freight, Summit Glass, Pioneer Paints, Delta Plastics",
    "first": "Anna, Ben, Carla, David, Elena, Farid, Grace, Hugo, Ines, Jonas, Kavya, Liam, Maya, Noah, Olga, Pedro, Quinn, Rosa, Sven, Tara, Umar, Vera, Will, Yara, Zoe",
    "last": "Abbott, Brandt, Costa, Dubois, Ekman, Fischer, Garcia, Hughes, Ito, Jansen, Khan, Lopez, Meyer, Novak, Okafor, Perez, Rossi, Silva, Tanaka, Ueda, Vogel, Weber, Young",
}

KINDS = """
member/members person
  n name: people
  c level: gold, silver, bronze, platinum
  c membership: annual, monthly, student, family
  k from city: cities
  b adj active/inactive
  b done insured/uninsured
  b have newsletter
  $ fee 20 300
  # visits 0 90
  d did joined/joining
  o did cancelled/cancellation
  x phone number: phones
  x email: mails
  y age 16 85
customer/customers person
  n name: people
  c type: private, business, wholesale, regular
  c segment: retail, corporate, online
  k from city: cities
  k from country: countries
  b adj active/inactive
  b done verified/unverified
  b done blocked/unblocked
  b have credit
  $ balance 0 5000
  $ credit limit 100 9000
  d done registered/registration
  x email: mails
  x phone: phones
  x company: firms
patient/patients person
  n name: people
  c gender: male, female
  c blood type: A, B, AB, O
  b done vaccinated/unvaccinated
  b adj allergic
  b do smoke
  # weight 40 120
  # height 140 200
  d done admitted/admission
  o done discharged/discharge
  x insurance number: IN-####
  y age 1 95
  k on ward: North, South, Surgery, Maternity
student/students person
  n name: people
  c status: enrolled, graduated, suspended
  c level: undergraduate, graduate, doctoral
  k in major: History, Biology, Physics, Economics, Law, Music
  b adj international
  b have scholarship
  b done registered/unregistered
  # credits 0 180
  $ tuition 500 9000
  d did enrolled/enrolment
  o did graduated/graduation
  x advisor: people
  y age 17 40
employee/employees person
  n name: people
  c contract: permanent, temporary, freelance
  c role: junior, senior, lead
  k in department: departments
  k in office: cities
  b at on leave
  b adj remote
  b adj full-time
  b done trained/untrained
  b have company car
  $ salary 1800 9000
  # vacation days 10 35
  d done hired/hire
  o did left/leaving
  x manager: people
  x phone extension: EX-##
volunteer/volunteers person
  n name: people
  c skill: medical, kitchen, garden, technical
  k from town: cities
  b adj available/unavailable
  b done trained/untrained
  b have driving licence
  # hours 0 400
  d did started/start
  o did stopped/end
  x emergency contact: people
  y age 16 80
donor/donors person
  n name: people
  c category: individual, corporate, anonymous
  k from country: countries
  b adj recurring
  b done thanked
  b do volunteer
  $ total given 10 9000
  d did joined/joining
  x email: mails
  x address: streets
tenant/tenants person
  n name: people
  c status: current, former, future
  b adj married/unmarried
  b have pets
  b have guarantor
  $ deposit 300 4000
  # household size 1 7
  d did moved in/move in
  o did moved out/move out
  x phone: phones
  x employer: firms
teacher/teachers person
  n name: people
  k in subject: Maths, Art, Chemistry, French, Sport, Latin
  c grade: junior, senior, head
  b adj part-time
  b done certified/uncertified
  # years of experience 0 40
  $ hourly rate 20 90
  d done hired/hire
  x office: rooms
  y age 23 67
driver/drivers person
  n name: people
  c licence: provisional, full, commercial
  k from depot: cities
  b at on duty
  b done suspended
  b adj available/unavailable
  # trips 0 900
  # rating 1 5
  d did joined/joining
  o did retired/retirement
  x phone: phones
supplier/suppliers thing
  n company: firms
  c category: local, national, overseas
  k from country: countries
  b done approved/unapproved
  b adj preferred
  b adj active/inactive
  # lead time 1 60
  $ minimum order 20 900
  d done approved/approval
  x website: acme.example, north.example, blue.example, vertex.example
  x contact person: people
guest/guests person
  n name: people
  c status: regular, new, VIP
  k from country: countries
  b adj vegetarian
  b done confirmed/unconfirmed
  b do drive
  # nights 1 20
  d did arrived/arrival
  o did left/departure
  x dietary notes: notes
  y age 3 90
player/players person
  n name: people
  c position: goalkeeper, defender, midfielder, striker
  k from country: countries
  b adj injured/uninjured
  b adj left-footed
  b done suspended
  # goals 0 40
  # matches 0 60
  $ market value 1000 90000
  d did signed/signing
  o did left/transfer
  y height 160 205
  f team: team
room/rooms thing
  n room name: rooms
  c type: single, double, meeting, storage
  k on floor: ground, first, second, third
  b adj available/unavailable
  b adj accessible/inaccessible
  b have projector
  b have balcony
  b done cleaned/uncleaned
  # capacity 1 60
  $ price 30 400
  # area 8 90
  o done renovated/renovation
  x phone extension: EX-##
device/devices thing
  n device name: DEV-###
  c type: laptop, tablet, phone, printer, scanner
  c status: working, broken, lost
  c brand: Acer, Lenovo, Canon, Zebra
  b at in use
  b at under warranty
  b done encrypted/unencrypted
  b have charger
  $ price 50 2500
  d done purchased/purchase
  o done returned/return/unreturned
  x serial number: SN-####
  y battery health 10 100
  f owner: employee, member, student, teacher
vehicle/vehicles thing
  n plate: KX-####
  c fuel: electric, diesel, petrol, hybrid
  c type: van, truck, minibus, saloon
  c color: colors
  b done insured/uninsured
  b at out of service
  b done leased
  b have tow bar
  # mileage 100 200000
  # seats 2 20
  $ purchase price 3000 60000
  d done bought/purchase
  o done inspected/inspection/uninspected
  o done sold/sale/unsold
  x parking spot: rooms
  f driver: driver, employee
plant/plants thing
  n plant name: Basil, Fern, Aloe, Orchid, Cactus, Ivy, Jade, Lily, Mint, Peony, Rose, Sage, Tulip, Yucca, Violet, Palm
  c light: shady, sunny, bright
  c kind: herb, shrub, flower, succulent
  k in location: kitchen, balcony, hall, greenhouse
  b adj poisonous
  b adj evergreen
  b adj edible/inedible
  # height 5 220
  $ price 2 60
  d done planted/planting
  o done watered/watering/unwatered
  o done repotted/repotting
  x fertiliser: bone meal, compost, liquid feed
book/books thing
  n title: Silent Rivers, The Long Road, Glass Hills, Night Letters, Winter Bread, Paper Moons, The Last Orchard, Stone Harvest, Small Fires, Distant Bells, Blue Salt, The Clockmaker, Open Water, Borrowed Light
  c genre: crime, fantasy, travel, poetry, history
  c format: hardcover, paperback, audio
  k in language: French, English, Spanish, German
  b adj available/unavailable
  b done damaged/undamaged
  b done signed/unsigned
  # pages 60 900
  # copies 1 12
  $ price 4 60
  d done published/publication
  o done lent/loan
  x publisher: firms
  y rating 1 5
part/parts thing
  n part number: PT-####
  c material: steel, plastic, copper, rubber
  c category: spare, standard, custom
  k from supplier: firms
  b at in stock
  b adj fragile
  b adj hazardous
  b done discontinued
  # quantity 0 900
  # reorder level 5 90
  $ unit price 1 300
  d done received/delivery
  o done counted/count/uncounted
  x drawing number: DR-###
  x remarks: notes
course/courses thing
  n course title: Pottery, First Aid, Welding, Spanish One, Yoga, Bookkeeping, Photography, Gardening, Choir, Web Design, Chess, Sewing
  c level: beginner, intermediate, advanced
  k in room: rooms
  b adj online
  b done full
  b adj free
  b have exam
  # places 5 40
  $ fee 0 500
  d did started/start
  o done cancelled/cancellation
  x textbook: Handbook, Primer, Reader
  f teacher: teacher, employee
product/products thing
  n product name: Desk Lamp, Office Chair, Kettle, Notebook, Backpack, Wall Clock, Tea Set, Toaster, Blanket, Mirror, Candle, Vase, Umbrella, Stool, Tray
  c category: kitchen, office, garden, outdoor
  c color: colors
  b at in stock
  b at on sale
  b done discontinued
  b adj organic
  # stock 0 500
  $ price 3 400
  y discount 5 50
  d done launched/launch
  x barcode: 40######
  f supplier: supplier
machine/machines thing
  n machine name: MC-##
  c status: running, idle, broken
  c type: cutting, welding, packing, printing
  k in hall: Hall A, Hall B, Hall C, Annex
  b at under maintenance
  b done leased
  b adj operational
  # operating hours 10 9000
  $ hourly cost 5 90
  d done installed/installation
  o done serviced/service/unserviced
  x operator: people
apartment/apartments thing
  n address: streets
  c type: studio, loft, penthouse
  k in city: cities
  b done furnished/unfurnished
  b have balcony
  b have parking
  b done rented
  b at under renovation
  # bedrooms 1 5
  # area 20 180
  $ rent 300 3000
  d done built/construction
  o done sold/sale/unsold
  x agent: people
animal/animals thing
  n animal name: Rex, Luna, Milo, Bella, Coco, Max, Nala, Oscar, Ruby, Toby, Daisy, Felix
  c species: dog, cat, rabbit, parrot
  c sex: male, female
  b done vaccinated/unvaccinated
  b done neutered
  b done adopted
  b do bite
  # weight 1 60
  d did arrived/arrival
  o done adopted/adoption
  x chip number: CH-####
  y age 1 18
project/projects thing
  n project name: Atlas, Beacon, Comet, Delta, Echo, Falcon, Gemini, Horizon, Ion, Jupiter, Kite, Lotus
  c status: planned, running, finished, paused
  c priority: low, medium, high
  k in department: departments
  b adj billable
  b done funded/unfunded
  b adj confidential
  $ budget 1000 90000
  # team size 1 20
  d did started/start
  o done completed/completion
  x sponsor: firms
  f manager: employee
tool/tools thing
  n tool name: Drill, Saw, Ladder, Sander, Router, Grinder, Planer, Jack, Welder, Level
  c type: hand, power, measuring
  c condition: new, used, worn
  k in cabinet: A1, A2, B1, B2
  b done lent
  b adj missing
  b adj safe/unsafe
  $ value 5 600
  # quantity 1 20
  d done bought/purchase
  o done calibrated/calibration/uncalibrated
  x borrower: people
team/teams thing
  n team name: Eagles, Lions, Wolves, Sharks, Hawks, Bears, Tigers, Foxes, Ravens
  c division: first, second, third
  k from city: cities
  b adj professional
  b done promoted
  # points 0 90
  $ budget 1000 80000
  d done founded/foundation
  x sponsor: firms
branch/branches thing
  n branch name: cities
  c region: north, south, east, west
  b adj open
  b have cafe
  b at under construction
  # employees 2 60
  $ monthly rent 500 9000
  d done opened/opening
  o done closed/closing
  x manager: people
invoice/invoices thing: received an invoice
  n invoice number: INV-####
  c status: open, overdue, settled, draft
  c currency: EUR, USD, GBP
  b done paid/unpaid
  b done approved/unapproved
  b done disputed/undisputed
  $ amount 20 9000
  $ tax 1 900
  d done issued/issue
  d at due/due
  o done paid/payment/unpaid
  x purchase order: PO-###
  f customer: customer, supplier, tenant, patient
ticket/tickets thing: opened a ticket|reported a problem
  n ticket number: TK-####
  c priority: low, medium, high, urgent
  c status: open, pending, closed
  c category: hardware, software, network, billing
  b done escalated
  b done resolved/unresolved
  b adj urgent
  # replies 0 30
  d done opened/opening
  o done closed/closing/unclosed
  o done answered/answer/unanswered
  x assignee: people
  y satisfaction 1 5
  f customer: customer, employee, member, student
appointment/appointments thing: had an appointment|been seen
  n appointment code: AP-####
  c type: routine, emergency, follow-up
  c status: scheduled, missed, completed
  k in room: rooms
  b done confirmed/unconfirmed
  b adj online
  b done cancelled
  # duration 10 120
  $ cost 20 400
  d done scheduled/appointment
  o done rescheduled/rescheduling
  x notes: notes
  f patient: patient, customer, animal, tenant
loan/loans thing: borrowed anything|borrowed
  n loan number: LN-####
  c type: short, long, renewal
  b adj overdue
  b done renewed
  b done returned/unreturned
  $ fine 0 40
  # renewals 0 5
  d done borrowed/loan
  d at due/due
  o done returned/return/unreturned
  x remarks: notes
  f member: member, student, employee, teacher
  f book: book, tool, device
donation/donations thing: donated|made a donation|given anything
  n receipt number: DN-####
  c method: cash, card, transfer
  c purpose: general, emergency, building
  b adj anonymous
  b adj tax-deductible
  b done acknowledged/unacknowledged
  $ amount 5 5000
  d done received/donation
  o done receipted/receipt
  x campaign: Spring Appeal, Winter Drive, Gala
  f donor: donor, member, customer
shift/shifts thing: worked|worked a shift
  n shift code: SH-###
  c type: early, late, night
  k at location: cities
  b adj paid/unpaid
  b done confirmed/unconfirmed
  b at on call
  # hours 3 12
  $ wage 30 300
  d at worked/shift
  x supervisor: people
  f employee: employee, volunteer, driver
claim/claims thing: filed a claim|claimed anything
  n claim number: CL-####
  c type: theft, water, fire, glass
  c status: open, accepted, rejected
  b done approved/unapproved
  b adj fraudulent
  b have photos
  $ amount 50 20000
  d done filed/filing
  o done settled/settlement/unsettled
  o done reviewed/review/unreviewed
  x adjuster: people
  f customer: customer, tenant, member, driver
order/orders thing: ordered anything|placed an order|ordered
  n order number: OR-####
  c status: new, open, shipped, cancelled
  c channel: online, phone, store
  b adj express
  b done gift-wrapped
  b done paid/unpaid
  b done shipped/unshipped
  $ total 5 3000
  # items 1 30
  d done ordered/order
  o done shipped/shipping/unshipped
  o done delivered/delivery/undelivered
  x discount code: SAVE5, SPRING, VIP10
  x comment: notes
  f customer: customer, member, employee
  f product: product, part, book
booking/bookings thing: booked anything|made a booking|booked
  n booking reference: BK-####
  c status: confirmed, tentative, cancelled
  c board: half, full, none
  b done prepaid
  b adj refundable/non-refundable
  b have breakfast
  # nights 1 20
  # guests 1 6
  $ price 40 2000
  d done booked/booking
  d at starting/arrival
  o done cancelled/cancellation
  x special request: notes
  f guest: guest, customer, member
  f room: room, apartment, vehicle
payment/payments thing: paid anything|made a payment|paid
  n payment reference: PM-####
  c method: cash, card, transfer, cheque
  b done refunded
  b adj late
  b done verified/unverified
  $ amount 5 4000
  d done received/payment
  o done refunded/refund
  x memo: notes
  f tenant: tenant, customer, member, student
enrolment/enrolments thing: enrolled|signed up for anything|taken a course
  n enrolment number: EN-####
  c status: active, dropped, completed
  b done passed
  b done paid/unpaid
  b adj repeated
  # attendance 0 100
  d done enrolled/enrolment
  o done completed/completion/uncompleted
  y grade 1 100
  x feedback: notes
  f student: student, member, employee
  f course: course
inspection/inspections thing: been inspected|had an inspection
  n report number: IR-####
  c result: passed, failed, conditional
  b adj urgent
  b done documented/undocumented
  # defects 0 20
  $ cost 40 900
  d done inspected/inspection
  o done repeated/follow-up
  x inspector: people
  f machine: machine, vehicle, apartment, room
repair/repairs thing: been repaired|had a repair
  n repair number: RP-####
  c kind: electrical, mechanical, cosmetic
  c status: waiting, running, done
  b at under warranty
  b done invoiced
  $ cost 10 3000
  # hours 1 40
  d done reported/report
  o done finished/finish/unfinished
  x mechanic: people
  f device: device, vehicle, machine, tool
delivery/deliveries thing: delivered anything|made a delivery
  n delivery note: DL-####
  c status: planned, late, completed
  c size: small, large, bulky
  b adj damaged/undamaged
  b done signed/unsigned
  b adj fragile
  # boxes 1 50
  # weight 1 900
  d done dispatched/dispatch
  o done received/arrival
  x signed by: people
  f driver: driver, supplier
complaint/complaints thing: complained|made a complaint
  n complaint number: CP-###
  c severity: minor, major, critical
  c topic: noise, billing, service, quality
  b done resolved/unresolved
  b done justified/unjustified
  $ compensation 0 500
  d done submitted/submission
  o done resolved/resolution/unresolved
  x handler: people
  f customer: customer, tenant, guest, patient
task/tasks thing: done a task|completed a task
  n task title: TS-###
  c priority: low, normal, high
  c state: todo, doing, done
  b done blocked/unblocked
  b adj optional
  b done assigned/unassigned
  # effort 1 40
  d done created/creation
  d at due/due
  o done finished/finish/unfinished
  x reviewer: people
  f project: project
  f employee: employee, volunteer
contract/contracts thing: signed a contract
  n contract number: CT-###
  c type: fixed, open-ended, framework
  b done signed/unsigned
  b adj renewable
  b done terminated
  $ value 500 90000
  # notice period 1 12
  d did started/start
  o did ended/end
  x witness: people
  f supplier: supplier, customer, tenant
expense/expenses thing: claimed an expense|spent anything
  n receipt: EX-####
  c category: travel, meals, training, supplies
  b done approved/unapproved
  b done reimbursed/unreimbursed
  b have receipt
  $ amount 3 900
  d done spent/expense
  o done reimbursed/reimbursement/unreimbursed
  x comment: notes
  f employee: employee, volunteer, teacher
  f project: project
subscription/subscriptions thing: subscribed|had a subscription
  n subscription code: SB-###
  c plan: basic, premium, family
  c status: active, trial, expired
  b adj auto-renewing
  b done cancelled
  # users 1 40
  $ monthly price 2 90
  d did started/start
  o done cancelled/cancellation
  x promo code: SAVE5, SPRING, VIP10
  f customer: customer, member, donor
training/trainings thing: done a training|attended a training
  n training code: TR-###
  c topic: safety, leadership, software, hygiene
  b adj mandatory
  b done passed
  # score 10 100
  $ cost 30 900
  d done held/training
  o did expired/expiry
  x certificate number: CE-###
  f employee: employee, volunteer, driver
visit/visits thing: visited|come for a visit
  n visit number: VS-###
  c reason: checkup, delivery, meeting, tour
  b done announced/unannounced
  b adj late
  # duration 5 240
  d did visited/visit
  o did left/departure
  x badge number: BD-##
  f visitor: guest, customer, patient, donor
"""

Kind = collections.namedtuple("Kind", "one many person verbs fields")
Field = collections.namedtuple("Field", "sort form words more low high")  # more: values, or the words of other forms


def values_of(text):
    text = LISTS.get(text.strip(), text)
    return [v.strip() for v in text.split(",")]


def field_of(line):
    sort, rest = line.split(None, 1)
    if sort in "$#y":
        words, low, high = rest.rsplit(None, 2)
        return Field(sort, "", words, [], int(low), int(high))
    if sort in "bdo":
        form, rest = rest.split(None, 1)
        words, *more = rest.split("/")
        return Field(sort, form, words, more, 0, 0)
    form = ""
    if sort == "k":
        form, rest = rest.split(None, 1)
    words, _, values = rest.partition(":")
    if sort == "f":
        return Field(sort, form, words, values_of(values), 0, 0)
    return Field(sort, form, words, values_of(values), 0, 0)


def kinds():
    """The kinds by their names."""
    all = {}
    for line in KINDS.strip().splitlines():
        if not line.startswith(" "):
            head, _, verbs = line.partition(":")
            names, person = head.split()
            one, many = names.split("/")
            kind = all[one] = Kind(one, many, person == "person", [v.strip() for v in verbs.split("|") if v.strip()], [])
        else:
            kind.fields.append(field_of(line.strip()))
    return all
