package demo

import "strings"

// commonWords are the first words of the vocabulary, most frequent first, so
// that most of a generated text is English.
var commonWords = strings.Fields(`
the to and a of is in for you with it on that this your we i be are as can not have from will
please when if or at by an our was my has after order account customer but all they which what there
about time one error file request update page data need new use number please see before message payment
no value into user so then been email more any test also code list still their how help first product
support date service just code only line report same would find could team name make check return delivery
system after other version please while issue address each state password invoice two up out get set add
refund table server answer item price due next like work found project using question called public change
query amount status field again week text result problem days subscription plan month call may next given
where through run does here them every shipment card missing should both now default order last because
package model case during without back between open must below above right keep since thanks bank same
step reset box already another different possible failed trying shows second local access search screen wrong
show start end below device release option between branch input output group token column button phone
sent charge made took long large small total simple main quick full part available current following several
agent store country office warehouse contract meeting document section manager response client customers
invoices orders accounts refunds payments errors messages emails requests files updates pages numbers values
users tests lists reports teams names systems versions issues addresses states passwords tables servers items
prices projects questions changes queries amounts fields results problems plans months calls cards models cases
steps devices releases options branches inputs outputs groups tokens columns buttons phones charges parts
countries offices contracts meetings documents sections managers responses clients agents stores
monday tuesday wednesday thursday friday saturday sunday january february march april june july august
september october november december morning evening night today tomorrow yesterday year years hour hours
minute minutes seconds early late soon always never often sometimes usually nearly almost exactly only even
good better best bad worse worst high higher low lower fast faster slow slower free paid old older young
important urgent critical minor major normal special common rare exact similar equal empty valid invalid
active inactive pending closed shipped cancelled returned damaged broken blocked locked expired delayed lost
people person friend family woman man child company business market industry bank school government city
street house room door window table chair kitchen garden water food coffee bread fruit paper book letter
music movie game sport travel flight hotel ticket train station airport road bridge river mountain beach
weather rain snow wind summer winter spring color black white green blue yellow brown silver golden
function method class variable string integer float boolean array object pointer struct interface package
import module library framework compiler runtime thread process memory cache buffer stream socket packet
network router firewall proxy header cookie session database schema index cursor transaction commit rollback
replica cluster container image volume deploy pipeline build artifact registry repository merge conflict
endpoint payload latency throughput timeout retry backoff queue worker scheduler trigger event handler callback
render template layout style theme font icon menu dialog form label checkbox slider upload download preview
revenue profit margin budget forecast expense tax discount coupon voucher balance deposit transfer loan credit
debit interest insurance policy claim premium audit compliance legal privacy consent security encryption key
health doctor patient hospital medicine treatment symptom diagnosis appointment clinic nurse vaccine therapy
student teacher course lesson exam grade university research science study theory evidence experiment sample
energy power battery engine vehicle truck fuel electric solar machine tool factory material metal plastic
glass wood stone cotton leather fabric sensor camera printer keyboard monitor laptop tablet charger cable adapter
explain describe compare translate summarize extract classify rewrite generate analyze review improve fix debug
confirm cancel replace remove delete create insert select filter sort count sum average convert parse format
read write send receive connect disconnect install configure enable disable allow deny accept reject approve
believe understand remember forget decide choose prefer suggest recommend expect hope wonder worry agree
house large local social national american european international public private personal general political
economic human natural physical technical digital global final single double several entire whole half quarter
reason idea fact point detail example difference relation condition situation decision opinion view effect
cause purpose goal target limit range level degree rate ratio percent share growth increase decrease drop rise
north south east west left center top bottom inside outside near far away around across along toward against
who whose why whether however therefore although unless until whenever wherever somehow something nothing
everything anything someone nobody everyone anyone yes maybe instead rather quite very really too enough
language english french german spanish italian polish dutch word sentence paragraph grammar meaning tone phrase
travel visit arrive leave stay return begin finish continue stop wait move turn pull push hold carry bring take
give offer buy sell pay cost spend save earn win lose grow reduce raise cut join split share follow lead
happy sorry glad angry upset calm patient polite honest clear careful correct perfect complete partial likely
`)

// Stems, prefixes and suffixes form the next part of the vocabulary: rare words
// that look like English and have similar words, as real rare words do.
var (
	stems = strings.Fields(`
account act adapt adjust arrange assign attach balance bind block bolt book bound brand break build bundle
cache call cast catch chain change charge chart check claim clean clear clock close cloud code collect color
combine command comment commit compare compile compute connect consent construct contain control convert cook
copy correct count cover craft credit cross cycle deal deliver deploy design detect direct discover draft draw
drift drive edit embed employ encode engage enrich estimate evolve examine expand explore export extend fail
farm fetch field filter find fit fix flag float flow fold form forward frame freight gather grade grant graph
ground group grow guard guide handle harbor help hinge hold host hunt import index inform insert inspect invoke
issue join journal judge jump label land launch layer lead learn lend level lift light limit link list load
locate lock log loop manage map mark market master match measure melt merge meter mine mint model monitor mount
move narrate nest note notify number offer open operate order orbit own pack page paint parse part pass patch
pattern pay perform pilot pin place plan plant plot point port post power predict present press price print
process produce profile program project promote prompt prove publish pull push rank rate reach read reason
record reduce refer reflect region relate relay release rent repair repeat report request resolve respond rest
review ring roll root round route run sail sample scale scan schedule score screen script seal search select
send serve set settle shape share shift ship sign signal sketch smooth sort sound source spark split spread
stack staff stage stamp start state station stitch stock store stream strike string study style submit supply
support survey switch tag talk target task teach tend term test text thread ticket tide time token tool touch
trace track trade train transform transmit travel treat trend trigger trust tune turn type update use value
vary vector verify view visit volume vote wait walk warn wash watch weigh wind wire word work wrap write yield
`)
	prefixes = strings.Fields(`re un pre post sub inter over under mis non anti co de dis auto micro multi trans super semi counter out`)
	suffixes = strings.Fields(`s ed ing er ers able ment ness less ful ly ism ist ize ized ation ability`)
	onsets   = strings.Fields(`b bl br c ch cl cr d dr f fl fr g gl gr h j k kl kr l m n p pl pr r s sc sh sk sl sm sn sp st str t th tr v w`)
	nuclei   = strings.Fields(`a e i o u ai ea ee ia io oa ou`)
	codas    = strings.Fields(`b d g k l m n p r s t ck ld lm ln mp nd ng nk nt rd rk rm rn rt sh sk st th`)
)

// frames are sentences of about frameWords words. Their slots are filled from
// the whole vocabulary.
var frames = parseTemplates([]string{
	"the {w} that we sent with the {w} was {w} and the {w} is still {w}",
	"after the {w} of the {w} nobody could find the {w} {w} again",
	"please compare the {w} with the {w} and tell us which {w} is more {w}",
	"our {w} team says that every {w} needs a {w} before the {w} can start",
	"there were {n} {w} in the {w}, but only the first one had a {w}",
	"when the {w} was opened, the {w} showed a {w} instead of the {w}",
	"they asked for a {w} {w} because the {w} from the {w} did not fit",
	"between {n} and {n} of the {w} came from the same {w} {w} last week",
	"it seems that {w} and {w} depend on the {w} of each {w}",
	"the new {w} makes the {w} faster, although the {w} takes more {w}",
	"in the {w} you will find a list of all {w} that the {w} has {w}",
	"without a {w} we cannot {w} the {w} or answer the {w} in time",
	"most {w} prefer a short {w} to a long {w} about the {w}",
	"she wrote that the {w} arrived {w}, so we should keep the {w} open",
	"if the {w} is {w} twice, the second {w} must be removed from the {w}",
	"first check the {w}, then the {w}, and only after that change the {w}",
})

const frameWords = 14
